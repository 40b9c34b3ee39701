/* later_options.h - three invented options: a choice, a real and an integer. The build `later`
 * includes this file before each source, to simulate a newer engine. */
#define CONFIG_INVENTED_OPTIONS(X)                                                                 \
    X(LATER_CHOICE, "later_choice", "model", "one|two", 0, 1, 0, "", "", "", 0, 0, 0, 0)           \
    X(LATER_NUMBER, "later_number", "training", "real", 0, 10, LIVE, "decades", "", "", 0.5, 0.5,  \
      0.5, 0.5)                                                                                    \
    X(LATER_COUNT, "later_count", "data", "int", 0, 10, 0, "decades", "", "", 3, 3, 3, 3)

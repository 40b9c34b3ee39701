/** Where the tour is: another language does not end it. */
export class TourPlace {
  /** Whether it is being taken. */
  open = false;
  /** Its stop, from 0. */
  at = 0;
}

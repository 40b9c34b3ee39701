/* ops_list.c - one tape_op record per op, generated from the list in ops_internal.h. */
#include "tape/ops_internal.h"

#define TAPE_OP_DEFINE(name, scratch, constants)                                                   \
    const tape_op name##_op = {#name,           #name "_forward", name##_forward,                  \
                               name##_backward, scratch,          constants};
TAPE_OP_LIST(TAPE_OP_DEFINE)
#undef TAPE_OP_DEFINE

/* A view computes nothing: it shares data and gradient with its input. */
const tape_op reshape_op = {"reshape", "op_reshape", NULL, NULL, NULL, NULL};

#define TAPE_OP_ADDRESS(name, scratch, constants) &name##_op,
const tape_op *const TAPE_OPS[] = {TAPE_OP_LIST(TAPE_OP_ADDRESS) & reshape_op, NULL};
#undef TAPE_OP_ADDRESS

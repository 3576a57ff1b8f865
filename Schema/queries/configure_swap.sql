-- Nothing in a projection is personal: what makes room need not be overwritten.
PRAGMA secure_delete = OFF;

/**
 * How many milliseconds a test waits for a state, and how many it may take as a whole. These end what hangs, and nothing else: what works comes long before, also on a machine
 * that has ten times as much to do as it can. So no test has a limit of its own.
 */
export const patience = 300_000;
export const patienceOfTest = 1_200_000;

/**
 * How many milliseconds a test waits for a state, and how many a whole test may take. These limits only end a test that
 * hangs: a test that works finishes long before, even on a machine with ten times more load than it can handle. So no
 * test has a limit of its own.
 */
export const patience = 300_000;
export const patienceOfTest = 1_200_000;

// Placeholder until the demonstration country is written (overwrite this file).
export const isEmpty = async (_db: unknown): Promise<boolean> => false;
export const loadDemo = async (_db: unknown, _o: unknown): Promise<void> => {};

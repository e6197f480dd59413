import { hash as hashAsUsual, verify as verifyAsUsual } from "@node-rs/argon2/index.js";

/** How many passwords were checked or hashed at one time, at the most, since `most` was last set to 0. */
export const atOneTime = { now: 0, most: 0 };

async function counted<Result>(work: Promise<Result>): Promise<Result> {
  atOneTime.now += 1;
  atOneTime.most = Math.max(atOneTime.most, atOneTime.now);
  return work.finally(() => (atOneTime.now -= 1));
}

/** The library's own check. */
export const verify = (passwordHash: string, password: string): Promise<boolean> =>
  counted(verifyAsUsual(passwordHash, password));

/**
 * Replaces the library's own `hash` for gateways in the tests' processes: the same algorithm, with parameters that take
 * hardly any time, because the tests sign in some thousand times, often with a wrong name or password. A hash contains
 * its parameters. `gateway/auth/password.test.ts` checks those of the product.
 */
export const hash = (password: string): Promise<string> =>
  counted(hashAsUsual(password, { memoryCost: 8, timeCost: 1 }));

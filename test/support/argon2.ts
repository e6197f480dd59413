import { hash as hashAsUsual } from "@node-rs/argon2/index.js";

export { verify } from "@node-rs/argon2/index.js";

/**
 * Replaces the library's own `hash` for gateways in the tests' processes: the same algorithm, with parameters that take hardly any time, because the tests
 * sign in some thousand times, often with a wrong name or password. A hash contains its parameters. `gateway/auth/password.test.ts` checks those of the
 * product.
 */
export const hash = (password: string): Promise<string> => hashAsUsual(password, { memoryCost: 8, timeCost: 1 });

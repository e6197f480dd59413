import { hash as hashAsUsual } from "@node-rs/argon2/index.js";

export { verify } from "@node-rs/argon2/index.js";

/**
 * In place of the library's own `hash` for gateways in the tests' processes: the same algorithm, with parameters that take hardly any time, because the tests
 * sign in some thousand times, often with a name or a password that is wrong. A hash tells its own parameters. `gateway/auth/password.test.ts` looks at those
 * of the product.
 */
export const hash = (password: string): Promise<string> => hashAsUsual(password, { memoryCost: 8, timeCost: 1 });

import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

import { requireRight, requireSender } from "../access/access.ts";
import type { Capability } from "../access/access.rules.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** the right that is needed for the call */
    needs?: Capability;
  }
}

/** The type of the server for REST routes: schemas are zod rules, from which the types of a handler's input follow. */
export type RestServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The security requirement, in the description, of calls that need a session and cannot be made with a token. */
export const bySession = [{ session: [] }];

/**
 * Options of a route that refuse callers without the right before their body is checked. The act checks the right
 * again.
 */
export const needs = (capability: Capability) => ({
  // For the description of the call.
  config: { needs: capability },
  preValidation: async (request: FastifyRequest) => {
    requireRight(request.context, capability, "somewhere");
  },
});

/** The same for a call that sites may make too. Its act decides what each caller may get. */
export const forSitesToo = (capability: Capability) => ({
  config: { needs: capability },
  preValidation: async (request: FastifyRequest) => {
    if (request.context.viewer?.machine?.kind !== "site") requireRight(request.context, capability, "somewhere");
  },
});

/** The same for callers that may send TDBs. */
export const needsSender = {
  preValidation: async (request: FastifyRequest) => {
    requireSender(request.context);
  },
};

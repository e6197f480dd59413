import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

import { requireRight, requireSender } from "../access/access.ts";
import type { Capability } from "../access/access.rules.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** the right without which the call is refused */
    needs?: Capability;
  }
}

/** The REST half of the gateway, as a noun's routes see it: schemas are zod rules, and type what a handler gets. */
export type RestServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** In the description of calls that a token cannot make. */
export const bySession = [{ session: [] }];

/** Refuses callers without the right before their body is looked at, so that they learn of the right first. The act asks again. */
export const needs = (capability: Capability) => ({
  // For the description of the call.
  config: { needs: capability },
  preValidation: async (request: FastifyRequest) => {
    requireRight(request.context, capability, "somewhere");
  },
});

/** The same for a call that sites may make too; its act decides what each may have of it. */
export const forSitesToo = (capability: Capability) => ({
  config: { needs: capability },
  preValidation: async (request: FastifyRequest) => {
    if (request.context.viewer?.machine?.kind !== "site") requireRight(request.context, capability, "somewhere");
  },
});

/** The same for who may send TDBs. */
export const needsSender = {
  preValidation: async (request: FastifyRequest) => {
    requireSender(request.context);
  },
};

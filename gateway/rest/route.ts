import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

import { requireRight, requireSender } from "../access/access.ts";
import type { Capability } from "../access/access.rules.ts";

/** The REST half of the gateway, as a noun's routes see it: schemas are zod rules, and type what a handler gets. */
export type RestServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Refuses callers without the right before their body is looked at, so that they learn of the right first. The act asks again. */
export const needs = (capability: Capability) => ({
  preValidation: async (request: FastifyRequest) => {
    requireRight(request.context, capability, "somewhere");
  },
});

/** The same for who may send TDBs. */
export const needsSender = {
  preValidation: async (request: FastifyRequest) => {
    requireSender(request.context);
  },
};

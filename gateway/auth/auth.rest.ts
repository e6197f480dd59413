import { z } from "zod";

import { samplePassword } from "../rest/description/samples.ts";
import { bySession, type RestServer } from "../rest/route.ts";
import { checkSession, signOut } from "./auth.ts";
import { signInRules } from "./auth.rules.ts";
import { ownSealKey } from "./sealKey.ts";
import { signIn } from "./signIn.ts";

/**
 * Routes of sign-in, session check and sign-out, which need no session, and of the key for stored records (seal key),
 * which needs one.
 */

const SignInAnswer = z
  .object({ status: z.enum(["signed-in", "reset-required", "enrolment-required", "signed-out"]) })
  .meta({ id: "SignInStatus" });
const SealKey = z
  .object({ sealKey: z.string().describe("Base64 of 32 bytes: seals what this person's devices keep") })
  .meta({ id: "SealKey" });
const tags = ["Sign-in"];

export function authRoutes(server: RestServer): void {
  server.post(
    "/auth",
    {
      schema: {
        operationId: "signIn",
        example: { login: "assessor", password: samplePassword },
        failures: [401, 424],
        summary:
          "Sign in; 202 when the password is temporary and must be replaced, 401 of the type urn:problem:code-wanted when a code is wanted too",
        tags,
        body: signInRules,
        response: { 200: SignInAnswer.extend({ sealKey: SealKey.shape.sealKey.optional() }), 202: SignInAnswer },
      },
    },
    async (request, reply) => {
      const status = await signIn(request.context, request.body);
      reply.header("cache-control", "no-store");
      if (status === "reset-required") return reply.status(202).send({ status });
      if (status === "enrolment-required") return reply.send({ status });
      return reply.send({ status, sealKey: await ownSealKey(request.context) });
    },
  );
  server.get(
    "/auth",
    {
      schema: {
        operationId: "checkSession",
        failures: [401],
        summary:
          "Session check; 401 of the type urn:problem:session-revoked when somebody ended the session of this cookie",
        tags,
        response: { 200: SignInAnswer, 202: SignInAnswer },
      },
    },
    async (request, reply) => {
      const status = await checkSession(request.context);
      return reply.status(status === "signed-in" ? 200 : 202).send({ status });
    },
  );
  server.get(
    "/auth/seal-key",
    {
      schema: {
        operationId: "getSealKey",
        security: bySession,
        failures: [401, 403],
        summary: "Your seal key; not for access tokens",
        tags,
        response: { 200: SealKey },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return { sealKey: await ownSealKey(request.context) };
    },
  );
  server.get(
    "/auth/logout",
    { schema: { operationId: "signOut", summary: "Sign out", tags, response: { 200: SignInAnswer } } },
    async (request) => {
      await signOut(request.context);
      return { status: "signed-out" as const };
    },
  );
}

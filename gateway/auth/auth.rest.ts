import { z } from "zod";

import { Problem } from "../problem.ts";
import type { RestServer } from "../rest/route.ts";
import { checkSession, signOut } from "./auth.ts";
import { signInRules } from "./auth.rules.ts";
import { signIn } from "./signIn.ts";

/** Routes of sign-in, session check and sign-out: the only ones that need no session. */

const SignInAnswer = z.object({ status: z.enum(["signed-in", "reset-required", "signed-out"]) });
const tags = ["Sign-in"];

export function authRoutes(server: RestServer): void {
  server.post(
    "/auth",
    {
      schema: {
        summary: "Sign in; 202 when the password is temporary and must be replaced",
        tags,
        body: signInRules,
        response: { 200: SignInAnswer, 202: SignInAnswer },
      },
    },
    async (request, reply) => {
      const status = await signIn(request.context, request.body);
      return reply.status(status === "signed-in" ? 200 : 202).send({ status });
    },
  );
  server.get(
    "/auth",
    { schema: { summary: "Session check", tags, response: { 200: SignInAnswer, 202: SignInAnswer } } },
    async (request, reply) => {
      const status = await checkSession(request.context);
      if (status === "signed-out") throw new Problem("UNAUTHENTICATED", "Nobody is signed in.");
      return reply.status(status === "signed-in" ? 200 : 202).send({ status });
    },
  );
  server.get(
    "/auth/logout",
    { schema: { summary: "Sign out", tags, response: { 200: SignInAnswer } } },
    async (request) => {
      await signOut(request.context);
      return { status: "signed-out" as const };
    },
  );
}

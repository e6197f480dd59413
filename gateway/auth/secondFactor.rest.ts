import { z } from "zod";

import { samplePassword } from "../rest/description/samples.ts";
import { bySession, type RestServer } from "../rest/route.ts";
import * as factor from "./secondFactor.ts";
import { confirmRules, withPasswordRules } from "./secondFactor.rules.ts";

/** Routes of one's own second factor. People who must set one up before anything else may call them too. */

const State = z
  .object({
    on: z.boolean().describe("Whether sign-ins ask for a code"),
    sinceDate: z.string().nullable(),
    recoveryCodesLeft: z.number(),
    required: z.boolean().describe("Whether this installation asks you for one"),
  })
  .meta({ id: "SecondFactor" });
const Begun = z
  .object({
    secret: z.string().describe("For the authenticator app, in base 32"),
    uri: z.string().describe("The same as an otpauth: address, for a link or a QR code"),
  })
  .meta({ id: "BegunSecondFactor" });
const Codes = z
  .object({
    recoveryCodes: z.array(z.string()).describe("Each signs in once in the place of a code; answered this once"),
  })
  .meta({ id: "RecoveryCodes" });
const tags = ["Own account"];
const path = "/user/me/secondFactor";

export function secondFactorRoutes(server: RestServer): void {
  server.get(
    path,
    {
      schema: {
        operationId: "getSecondFactor",
        security: bySession,
        summary: "How your second factor stands",
        tags,
        response: { 200: State },
      },
    },
    (request) => factor.readOwnSecondFactor(request.context),
  );
  server.post(
    `${path}/begin`,
    {
      schema: {
        operationId: "beginSecondFactor",
        example: { password: samplePassword },
        security: bySession,
        failures: [409],
        summary: "Make the secret of a new second factor; a first code switches it on",
        tags,
        body: withPasswordRules,
        response: { 200: Begun },
      },
    },
    (request) => factor.beginSecondFactor(request.context, request.body),
  );
  server.post(
    `${path}/confirm`,
    {
      schema: {
        operationId: "confirmSecondFactor",
        example: { code: "123456" },
        security: bySession,
        failures: [409],
        summary: "Switch on the second factor that was begun; your other sessions end",
        tags,
        body: confirmRules,
        response: { 200: Codes },
      },
    },
    (request) => factor.confirmSecondFactor(request.context, request.body),
  );
  server.post(
    `${path}/end`,
    {
      schema: {
        operationId: "endSecondFactor",
        example: { password: samplePassword },
        security: bySession,
        failures: [409],
        summary: "Switch your second factor off",
        tags,
        body: withPasswordRules,
        response: { 200: z.object({}) },
      },
    },
    async (request) => {
      await factor.endSecondFactor(request.context, request.body);
      return {};
    },
  );
  server.post(
    `${path}/recoveryCodes`,
    {
      schema: {
        operationId: "renewRecoveryCodes",
        example: { password: samplePassword },
        security: bySession,
        failures: [409],
        summary: "Make new recovery codes; the former ones end",
        tags,
        body: withPasswordRules,
        response: { 200: Codes },
      },
    },
    (request) => factor.renewRecoveryCodes(request.context, request.body),
  );
}

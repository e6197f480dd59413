import type { Context } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import { readPartner } from "./reference.ts";

/** Refuses partners that do not exist; `pathOf` names the field of each. @throws Problem INVALID */
export async function requirePartners(
  context: Context,
  partnerIds: readonly (number | null | undefined)[],
  pathOf: (index: number) => string,
): Promise<void> {
  await Promise.all(
    partnerIds.map(async (partnerId, index) => {
      if (partnerId == null) return;
      await readPartner(context, partnerId).catch((error: unknown) => {
        throw error instanceof Problem && error.code === "NOT_FOUND"
          ? invalid([{ path: pathOf(index), message: "is not there" }])
          : error;
      });
    }),
  );
}

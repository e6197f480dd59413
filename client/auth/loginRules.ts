import { zodResolver } from "@hookform/resolvers/zod";
import { resetRules, signInRules } from "../../gateway/auth/auth.rules.ts";
import type { LoginFields } from "./LoginForm.tsx";

/** Check a sign-in, and one that replaces a temporary password. */
export const signInResolver = zodResolver<LoginFields, unknown, LoginFields>(signInRules);
export const resetResolver = zodResolver<LoginFields, unknown, LoginFields>(resetRules);

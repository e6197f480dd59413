/** A temporary password on its way to the profile where it is shown once. It lives in memory only, and no longer than that. */
let waiting: { userUuid: string; temporaryPassword: string } | undefined;

export function handOver(userUuid: string, temporaryPassword: string): void {
  waiting = { userUuid, temporaryPassword };
}

/** The temporary password that was made for this user a moment ago. */
export function handedOver(userUuid: string): string | undefined {
  return waiting?.userUuid === userUuid ? waiting.temporaryPassword : undefined;
}

export function forgetHandover(): void {
  waiting = undefined;
}

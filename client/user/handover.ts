/** Passes a temporary password to the profile screen, which shows it once. It is only in memory. */
let waiting: { userUuid: string; temporaryPassword: string } | undefined;

export function handOver(userUuid: string, temporaryPassword: string): void {
  waiting = { userUuid, temporaryPassword };
}

/** The temporary password that was just created for this user. */
export function handedOver(userUuid: string): string | undefined {
  return waiting?.userUuid === userUuid ? waiting.temporaryPassword : undefined;
}

export function forgetHandover(): void {
  waiting = undefined;
}

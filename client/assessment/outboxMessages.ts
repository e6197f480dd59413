/** Messages about unsent work. A message is removed when it no longer applies. */

export const waitsMessage =
  "There is no connection: the assessment is kept on this device and is sent when the network is back";
export const portalMessage =
  "This network wants you to sign in first: the assessment is kept on this device and is sent when you have done so";
export const endedMessage = "Your session ended: the assessment is kept on this device and is sent when you sign in";
export const cameBackMessage = (facilityName: string): string =>
  `The assessment of ${facilityName} came back: please look at it`;

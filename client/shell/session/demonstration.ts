/** What a demonstration says of itself on every screen, and on its page before any script has run (client/build/demonstrationPage.ts). */
export const demonstrationText = "Demonstration: all facilities, people and figures are made up.";

/** The note of a demonstration: on every screen, and in the page before any script has run (client/build/page.ts). */
export const demonstrationText = "Demonstration: all facilities, people and figures are made up.";

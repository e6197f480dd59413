/** What every rule is made with, as a file that can be run by itself (ruleParts.ts). */
import "zod";

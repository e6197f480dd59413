/** zod as a file of its own, so that it can be loaded and run separately (ruleParts.ts). */
import "zod";

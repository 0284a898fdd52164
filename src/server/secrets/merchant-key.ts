/** The bytes a merchant's secret stands for, which sign its requests and its callbacks: the base64 after `whsec_`, or of the whole secret. */
export const merchantKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");

/** A count of things with its thousands apart: "1,000,000". */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** An account number in groups of four from its end, for reading only; copies, searches and files use the plain number. */
export const groupedNumber = (number: string): string => number.replace(/\B(?=(?:.{4})+$)/g, " ");

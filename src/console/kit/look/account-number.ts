/** A bank account's number as people read it everywhere: in fours from its end. What is copied, found and put into files stays as it is. */
export const groupedNumber = (number: string): string => number.replace(/\B(?=(?:.{4})+$)/g, " ");

const kilobyte = 1024;

/** In figures that read the same in every language: "812 kB", "3.4 MB". */
export const sizeText = (bytes: number): string =>
  bytes < kilobyte * kilobyte ? `${Math.max(1, Math.round(bytes / kilobyte))} kB` : `${(bytes / kilobyte / kilobyte).toFixed(1)} MB`;

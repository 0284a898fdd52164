/** Cookies that the console sets and reads. */
export interface Jar {
  get(name: string): string | null;
  set(name: string, value: string, days: number): void;
  remove(name: string): void;
}

/** Lifetimes in days (specification, point 9: 2 by default, 7 for the currency). */
export const cookieDays = { session: 2, currency: 7, preference: 2 } as const;

const local = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** False only on plain http on a host other than this machine, where the browser would reject a secure cookie. */
export function isSecure(protocol: string, hostname: string): boolean {
  return protocol === "https:" || local.test(hostname);
}

export function browserJar(document: Document, location: Location): Jar {
  const end = `; path=/; samesite=strict${isSecure(location.protocol, location.hostname) ? "; secure" : ""}`;
  return {
    get(name) {
      const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
      return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
    },
    set(name, value, days) {
      document.cookie = `${name}=${encodeURIComponent(value)}; max-age=${days * 86_400}${end}`;
    },
    remove(name) {
      document.cookie = `${name}=; max-age=0${end}`;
    },
  };
}

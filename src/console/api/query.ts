import { QueryClient } from "@tanstack/react-query";

/** The query client; a query tries once, because `call` has already retried and reported. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
        staleTime: 5_000,
        gcTime: 300_000,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

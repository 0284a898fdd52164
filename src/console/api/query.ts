import { QueryClient } from "@tanstack/react-query";

/** Server state. `call` has retried and told what there was to tell, so a query tries once. */
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

// The rooms whose tests are measured by mutants: where money and people's rights are decided.

/** By room: the files of its product code, as a pattern of paths from the root. */
export const rooms: Readonly<Record<string, RegExp>> = {
  ledger: /^src\/ledger\//,
  settlement: /^src\/settlement\//,
  payments: /^src\/payments\//,
  withdrawals: /^src\/withdrawals\//,
  refunds: /^src\/refunds\//,
  disputes: /^src\/disputes\//,
  wallets: /^src\/wallets\//,
  rails: /^src\/rails\//,
  treasury: /^src\/treasury\//,
  people: /^src\/people\//,
  guards:
    /^src\/dashboard\/(?:operator\/)?(?:step-up|same-origin|session-cookie|visitor|route|routes|reset-limit|session-routes|member-routes|account-routes|merchant-entrance)\.ts$/,
  merchants: /^src\/merchants\//,
  operator: /^src\/operator\//,
  restored: /^src\/restored\//,
  issuance: /^src\/issuance\//,
  erasure: /^src\/erasure\//,
}

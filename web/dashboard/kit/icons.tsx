// Line icons on a grid of 16, drawn for this dashboard: one weight, round ends.

const paths = {
  overview: 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5',
  payments: 'M2 4.5h12v8H2zM2 7.5h12M4.5 10.5H7',
  wallets: 'M2.5 4.5h9a2 2 0 0 1 2 2v5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 4.5V4a1 1 0 0 1 1-1H11M11 9h.01',
  withdrawals: 'M8 10.5v-8M5 5.5l3-3 3 3M2.5 10.5v3h11v-3',
  refunds: 'M6 3 2.5 6.5 6 10M2.5 6.5h7a3.5 3.5 0 0 1 0 7H7',
  disputes: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.01',
  reports: 'M3 13V8M8 13V3M13 13V6',
  templates: 'M2.5 3h11v10h-11zM2.5 6.5h11M6.5 6.5V13',
  developers: 'M5.5 5 2.5 8l3 3M10.5 5l3 3-3 3M9 3.5l-2 9',
  members:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.5 13c.4-2 2.2-3.2 4.5-3.2s4.1 1.2 4.5 3.2M10.5 3.2a2.2 2.2 0 0 1 0 4.1M12 10.2c1.4.5 2.2 1.5 2.5 2.8',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  shop: 'M2.5 6.5 3.5 3h9l1 3.5M2.5 6.5a1.8 1.8 0 0 0 3.6 0 1.9 1.9 0 0 0 3.8 0 1.8 1.8 0 0 0 3.6 0M3.5 9v4h9V9',
  subaccounts: 'M6 3h4v3.5H6zM2 9.5h4V13H2zM10 9.5h4V13h-4zM8 6.5V8M4 9.5V8h8v1.5',
  chain: 'M5.5 4.5h5v7h-5zM2 8h3.5M10.5 8H14M8 2v2.5M8 11.5V14',
  queue: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  lost: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.5.3-.8.6-.8 1.1M8 11.3v.01',
  operator: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.8 10.8 14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5 6.5 12 13 4.5',
  checkCircle: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.3 8.2 7.3 10.2 10.8 6.2',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.3',
  cross: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6l4 4M10 6l-4 4',
  dash: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.5 8h5',
  alert: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5M8 10.9v.01',
  half: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5.2 8 8M8 8H5.2',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  upDown: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  link: 'M7 9.5a3 3 0 0 0 4.2 0l2-2A3 3 0 0 0 9 3.3l-.8.8M9 6.5a3 3 0 0 0-4.2 0l-2 2A3 3 0 0 0 7 12.7l.8-.8',
  external: 'M6 3.5H3v9.5h9.5v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  plus: 'M8 3v10M3 8h10',
  mail: 'M2.5 4h11v8.5h-11zM2.5 4.5 8 9l5.5-4.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  device: 'M2.5 3h11v7.5h-11zM6 13.5h4',
  signOut: 'M6 2.5H3v11h3M10 5l3 3-3 3M13 8H6.5',
  user: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM3 13.7c.6-2.3 2.6-3.5 5-3.5s4.4 1.2 5 3.5',
  shield: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  key: 'M6 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.2 7.8 13.5 2.5M11 5l2 2',
  play: 'M5 3.5v9l7.5-4.5z',
  book: 'M3 3h4a1.5 1.5 0 0 1 1.5 1.5V13A1.5 1.5 0 0 0 7 12H3zM13 3H9.5A1 1 0 0 0 8.5 4',
  send: 'M13.5 2.5 2.5 6.5l4.5 2.5 2.5 4.5zM7 9l6.5-6.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  download: 'M8 2.5v8M5 7.5l3 3 3-3M2.5 10.5v3h11v-3',
  print: 'M4.5 6V2.5h7V6M4.5 12h-2V6h11v6h-2M4.5 9.5h7v4h-7z',
  reload: 'M13 8a5 5 0 1 1-1.5-3.5M13.5 2v3h-3',
} as const

export type IconName = keyof typeof paths

/** Decoration: what it means stands in words beside it, or in the label of its button. */
export function Icon({
  name,
  size = 16,
  className = '',
}: {
  readonly name: IconName
  readonly size?: number
  readonly className?: string
}) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      <path d={paths[name]} />
    </svg>
  )
}

// Small line drawings. They only accompany words, so screen readers skip them.
const paths = {
  alert: 'M12 8v5m0 3.4v.1M10.3 4 2.8 17a2 2 0 0 0 1.7 3h15a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 5 7 7-7 7',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  cross: 'm6 6 12 12M18 6 6 18',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  card: 'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM3 10h18M7 15h3',
  wallet:
    'M8 2.5h8a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5ZM11 18.5h2',
  bank: 'M12 3.5 3.5 8.5v1.5h17V8.5ZM6 10v7.5M10 10v7.5M14 10v7.5M18 10v7.5M3.5 20.5h17v-3h-17Z',
} satisfies Readonly<Record<string, string>>

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

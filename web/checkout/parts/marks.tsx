// The logos that payers know, drawn by us: nothing is downloaded. They only accompany words, so screen readers skip them.
import type { JSX } from 'preact'
import type { Mark as MarkName } from '#/checkout/page-values.ts'
import { Icon } from './icons.tsx'

/** Cards have the proportions of a card. */
const cardBox = '0 0 38 24'
const squareBox = '0 0 24 24'

type Drawing = { readonly box: string; readonly picture: JSX.Element }

const drawings: Readonly<Record<Exclude<MarkName, 'card' | 'wallet' | 'bank'>, Drawing>> = {
  pix: {
    box: squareBox,
    picture: (
      <path
        fill="#32bcad"
        d="M12 1.7 17.4 7.1h-1.3c-1 0-1.9.4-2.6 1.1l-1 1a.7.7 0 0 1-1 0l-1-1a3.7 3.7 0 0 0-2.6-1.1H6.6zm0 20.6 5.4-5.4h-1.3c-1 0-1.9-.4-2.6-1.1l-1-1a.7.7 0 0 0-1 0l-1 1a3.7 3.7 0 0 1-2.6 1.1H6.6zM1.7 12l3.6-3.6h2.6c.6 0 1.2.2 1.6.7l1.9 1.9a1.3 1.3 0 0 1 0 2l-1.9 1.9c-.4.5-1 .7-1.6.7H5.3zm20.6 0-3.6-3.6h-2.6c-.6 0-1.2.2-1.6.7L12.6 11a1.3 1.3 0 0 0 0 2l1.9 1.9c.4.5 1 .7 1.6.7h2.6z"
      />
    ),
  },
  usdt: {
    box: squareBox,
    picture: (
      <>
        <circle cx="12" cy="12" r="10.5" fill="#26a17b" />
        <path
          fill="#fff"
          d="M6.8 6.6h10.4V9h-3.9v1.3c2.7.2 4.6.8 4.6 1.5s-1.9 1.3-4.6 1.5v4.3h-2.6v-4.3c-2.7-.2-4.6-.8-4.6-1.5s1.9-1.3 4.6-1.5V9H6.8zm3.9 4.4c-2 .1-3.5.5-3.5.9s2.1.9 4.8.9 4.8-.4 4.8-.9-1.5-.8-3.5-.9v1.1h-2.6z"
        />
      </>
    ),
  },
  binance: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#181a20" />
        <path
          fill="#f0b90b"
          d="m12 9.8 2.2 2.2-2.2 2.2L9.8 12zM12 4.3l4.7 4.7-1.8 1.8L12 7.9 9.1 10.8 7.3 9zm0 15.4L7.3 15l1.8-1.8 2.9 2.9 2.9-2.9 1.8 1.8zM4.3 12l1.8-1.8L7.9 12l-1.8 1.8zm11.8 0 1.8-1.8 1.8 1.8-1.8 1.8z"
        />
      </>
    ),
  },
  multibanco: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#1a5fb4" />
        <path fill="none" stroke="#fff" stroke-width="2" d="M6 17V8l6 5 6-5v9" />
      </>
    ),
  },
  mbway: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#d31145" />
        <path fill="none" stroke="#fff" stroke-width="2" d="M6 8l3 8 3-6 3 6 3-8" />
      </>
    ),
  },
  ideal: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#cc0066" />
        <path fill="#fff" d="M7 6h5a6 6 0 0 1 0 12H7z" />
      </>
    ),
  },
  bancontact: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#005498" />
        <path fill="none" stroke="#fff" stroke-width="2" d="M5 14h7l3-4h4M5 10h7" />
      </>
    ),
  },
  bizum: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#05c3a6" />
        <path fill="none" stroke="#fff" stroke-width="2" d="M8 6v12m0-6h5a3 3 0 0 1 0 6H8m8-12v1" />
      </>
    ),
  },
  boleto: {
    box: squareBox,
    picture: (
      <>
        <rect x="1" y="1" width="22" height="22" rx="5" fill="#3d3d3d" />
        <path fill="#fff" d="M5 6h2v12H5zm4 0h1v12H9zm3 0h3v12h-3zm5 0h2v12h-2z" />
      </>
    ),
  },
  visa: {
    box: cardBox,
    picture: (
      <>
        <path
          fill="#1434cb"
          d="M7.5 8h2.5l1 4.8L13.1 8h2.4l-3.7 8.2H9.4zM17 8h2.3l-1.4 8.2h-2.3zm12.3 0h2l1.7 8.2h-2.1l-.3-1.4h-2.8l-.6 1.4h-2.4zm.8 2.7-1.1 2.5h1.6z"
        />
        <path
          fill="none"
          stroke="#1434cb"
          stroke-width="1.9"
          d="M25.7 9.4c-1.7-.9-4.3-.7-4.3 1 0 1.8 3.5 1.5 3.5 3.3 0 1.7-2.8 1.9-4.9.9"
        />
      </>
    ),
  },
  mastercard: {
    box: cardBox,
    picture: (
      <>
        <circle cx="15" cy="12" r="6.5" fill="#eb001b" />
        <circle cx="23" cy="12" r="6.5" fill="#f79e1b" />
        <path fill="#ff5f00" d="M19 6.88a6.5 6.5 0 0 1 0 10.24 6.5 6.5 0 0 1 0-10.24" />
      </>
    ),
  },
  elo: {
    box: cardBox,
    picture: (
      <>
        <rect width="38" height="24" fill="#000" />
        <g fill="none" stroke-width="3">
          <path stroke="#ffcb05" d="M13.6 6.8a7.5 7.5 0 0 1 8.3-1.7" />
          <path stroke="#00a4e0" d="M13.6 17.2a7.5 7.5 0 0 1-.2-10.2" />
          <path stroke="#ef4123" d="M26.3 13.5a7.5 7.5 0 0 1-11.5 4.8" />
          <path stroke="#fff" stroke-width="2" d="M16.4 13h5.9a3 3 0 1 0-1 2.1" />
        </g>
      </>
    ),
  },
  amex: {
    box: cardBox,
    picture: (
      <>
        <rect width="38" height="24" fill="#016fd0" />
        <path
          fill="none"
          stroke="#fff"
          stroke-width="1.7"
          d="m5 16 3.2-7.5h.6L12 16m-5.8-2.4h4.6M13.7 16V8.8l3 4.4 3-4.4V16m7-7.1h-4.3V15h4.3m-4.3-3.2h3.9m2.6-3.7 5.3 7.5m0-7.5L27.2 16"
        />
      </>
    ),
  },
}

/** 24 px square; a card is wider than high, on its own white background. */
export function Mark({ name }: { readonly name: MarkName }) {
  if (name === 'card' || name === 'wallet' || name === 'bank') return <Icon name={name} size={24} />
  const { box, picture } = drawings[name]
  const isCard = box === cardBox
  return (
    <svg
      class={isCard ? 'mark card-mark' : 'mark'}
      viewBox={box}
      width={isCard ? 35 : 24}
      height={isCard ? 22 : 24}
      aria-hidden="true"
    >
      {picture}
    </svg>
  )
}

import { describe, inAll } from '#/rails/descriptor.ts'

export const crypto = describe({
  method: 'CRYPTO',
  currencies: ['USDT', 'USD'],
  namesCurrency: true,
  refunds: 'PART',
  mark: 'usdt',
  label: inAll('USDT'),
  operatorLabel: ['USDT na rede', 'USDT on chain', 'USDT en la red'],
  by: ['cripto', 'crypto', 'cripto'],
  who: ['A rede', 'The chain', 'La red'],
  hint: [
    'Da sua carteira ou corretora, confirmado em poucos minutos.',
    'From your wallet or exchange, confirmed in a few minutes.',
    'Desde su billetera o exchange, confirmado en pocos minutos.',
  ],
  sandbox: {
    scenarios: ['exact', 'under', 'over', 'twice', 'late', 'reorged'],
    meaning: 'reorged: the block leaves the chain and the transfer comes back.',
  },
  audit: 'OWN',
  docs: 'usdt.md',
})

import { describe, inAll } from '#/rails/descriptor.ts'

export const crypto = describe({
  method: 'CRYPTO',
  currencies: ['USDT', 'USD'],
  namesCurrency: true,
  refunds: 'PART',
  mark: 'usdt',
  label: inAll('USDT'),
  operatorLabel: { en: 'USDT on chain', 'pt-BR': 'USDT na rede', es: 'USDT en la red' },
  by: { en: 'crypto', 'pt-BR': 'cripto', es: 'cripto' },
  who: { en: 'The chain', 'pt-BR': 'A rede', es: 'La red' },
  hint: {
    en: 'From your wallet or exchange, confirmed in a few minutes.',
    'pt-BR': 'Da sua carteira ou corretora, confirmado em poucos minutos.',
    es: 'Desde su billetera o exchange, confirmado en pocos minutos.',
  },
  sandbox: {
    scenarios: ['exact', 'under', 'over', 'twice', 'late', 'reorged'],
    meaning: 'reorged: the block leaves the chain and the transfer comes back.',
  },
  audit: 'OWN',
  docs: 'usdt.md',
})

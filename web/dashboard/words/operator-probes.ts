import type { ProbeKey } from '#/rails/kit/probe.ts'
import { dictionary } from './dictionary.ts'

/** `of`: the value of this name in what the test said. */
export type ProbeSentence = (of: (name: string) => string) => string

type ProbeWords = {
  /** What was tested, as the server names it. */
  readonly tested: Readonly<Record<string, string>>
  readonly said: Readonly<Record<ProbeKey, ProbeSentence>>
}

/** What the test of a connection says. */
export const operatorProbeWords = dictionary<ProbeWords>({
  'pt-BR': {
    tested: {
      'collection: token, read what was received': 'recebimento: token e leitura do que chegou',
      'callbacks: token, read where they go': 'avisos: token e leitura de para onde vão',
      'refunds: token, read a refund': 'devoluções: token e leitura de uma',
      'payouts: token, read what was sent': 'saques: token e leitura do que saiu',
      'collection: certificate': 'recebimento: certificado',
      'refunds: certificate': 'devoluções: certificado',
      'payouts: certificate': 'saques: certificado',
      payouts: 'saques',
      refunds: 'devoluções',
      callbacks: 'avisos',
      'local methods': 'métodos locais',
      'collection: read what happened': 'recebimento: leitura do que aconteceu',
      'refunds: read refunds': 'devoluções: leitura',
      'collection: look for an order': 'recebimento: busca de um pedido',
      'callbacks: read the keys that sign them': 'avisos: leitura das chaves que os assinam',
      'refunds: look for a refund': 'devoluções: busca de uma',
      account: 'conta',
    },
    said: {
      works: () => 'funciona',
      received: (of) => `funciona, ${of('count')} no último minuto`,
      sent: (of) => `funciona, ${of('count')} nossos no último minuto`,
      events: (of) => `funciona, ${of('count')} eventos no último minuto`,
      keys: (of) => `funciona, chaves: ${of('count')}`,
      goes_nowhere: () => 'a lugar nenhum ainda: registre o endereço',
      goes_to: (of) => `para ${of('url')}`,
      valid_until: (of) => `vale até ${of('date')}`,
      ended_on: (of) => `venceu em ${of('date')}`,
      no_refunds: () => 'sem segredos que enviam dinheiro: nada pode ser devolvido',
      not_decrypted: () => 'não há segredos que possam ser abertos',
      secrets_known: (of) => `segredos conhecidos: ${of('count')}`,
      no_secrets: () => 'sem webhookSecrets: nenhum aviso é aceito',
      enabled: (of) => `ligados: ${of('methods')}`,
      nothing_to_call: () =>
        'não há a quem perguntar: o dinheiro é conhecido pelos arquivos que você importa',
    },
  },
  en: {
    tested: {
      'collection: token, read what was received': 'collection: token, read what was received',
      'callbacks: token, read where they go': 'callbacks: token, read where they go',
      'refunds: token, read a refund': 'refunds: token, read a refund',
      'payouts: token, read what was sent': 'payouts: token, read what was sent',
      'collection: certificate': 'collection: certificate',
      'refunds: certificate': 'refunds: certificate',
      'payouts: certificate': 'payouts: certificate',
      payouts: 'payouts',
      refunds: 'refunds',
      callbacks: 'callbacks',
      'local methods': 'local methods',
      'collection: read what happened': 'collection: read what happened',
      'refunds: read refunds': 'refunds: read refunds',
      'collection: look for an order': 'collection: look for an order',
      'callbacks: read the keys that sign them': 'callbacks: read the keys that sign them',
      'refunds: look for a refund': 'refunds: look for a refund',
      account: 'account',
    },
    said: {
      works: () => 'works',
      received: (of) => `works, ${of('count')} in the last minute`,
      sent: (of) => `works, ${of('count')} of ours in the last minute`,
      events: (of) => `works, ${of('count')} events in the last minute`,
      keys: (of) => `works, keys: ${of('count')}`,
      goes_nowhere: () => 'nowhere yet: register the address',
      goes_to: (of) => `to ${of('url')}`,
      valid_until: (of) => `valid until ${of('date')}`,
      ended_on: (of) => `ended on ${of('date')}`,
      no_refunds: () => 'no secrets that send money: nothing can be given back',
      not_decrypted: () => 'there are no secrets that can be opened',
      secrets_known: (of) => `known secrets: ${of('count')}`,
      no_secrets: () => 'no webhookSecrets: no callback is believed',
      enabled: (of) => `enabled: ${of('methods')}`,
      nothing_to_call: () => 'there is nothing to call: money is known from the files that you import',
    },
  },
  es: {
    tested: {
      'collection: token, read what was received': 'cobro: token y lectura de lo que llegó',
      'callbacks: token, read where they go': 'avisos: token y lectura de adónde van',
      'refunds: token, read a refund': 'devoluciones: token y lectura de una',
      'payouts: token, read what was sent': 'retiros: token y lectura de lo que salió',
      'collection: certificate': 'cobro: certificado',
      'refunds: certificate': 'devoluciones: certificado',
      'payouts: certificate': 'retiros: certificado',
      payouts: 'retiros',
      refunds: 'devoluciones',
      callbacks: 'avisos',
      'local methods': 'métodos locales',
      'collection: read what happened': 'cobro: lectura de lo que pasó',
      'refunds: read refunds': 'devoluciones: lectura',
      'collection: look for an order': 'cobro: búsqueda de un pedido',
      'callbacks: read the keys that sign them': 'avisos: lectura de las claves que los firman',
      'refunds: look for a refund': 'devoluciones: búsqueda de una',
      account: 'cuenta',
    },
    said: {
      works: () => 'funciona',
      received: (of) => `funciona, ${of('count')} en el último minuto`,
      sent: (of) => `funciona, ${of('count')} nuestros en el último minuto`,
      events: (of) => `funciona, ${of('count')} eventos en el último minuto`,
      keys: (of) => `funciona, claves: ${of('count')}`,
      goes_nowhere: () => 'a ninguna parte todavía: registre la dirección',
      goes_to: (of) => `a ${of('url')}`,
      valid_until: (of) => `vale hasta ${of('date')}`,
      ended_on: (of) => `venció el ${of('date')}`,
      no_refunds: () => 'sin secretos que envían dinero: nada se puede devolver',
      not_decrypted: () => 'no hay secretos que se puedan abrir',
      secrets_known: (of) => `secretos conocidos: ${of('count')}`,
      no_secrets: () => 'sin webhookSecrets: ningún aviso se acepta',
      enabled: (of) => `activados: ${of('methods')}`,
      nothing_to_call: () =>
        'no hay a quién preguntar: el dinero se conoce por los archivos que usted importa',
    },
  },
})

import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'
import { operatorNames } from './method-names.ts'

/** What the screens of the operator's console share. */
export const operatorWords = dictionary({
  reasonHelp: [
    'Fica no registro de auditoria.',
    'It is recorded in the audit log.',
    'Queda en el registro de auditoría.',
  ],
  reasonMaybe: ['Motivo (opcional)', 'Reason (optional)', 'Motivo (opcional)'],
  reasonMissing: [
    'Escreva o motivo em poucas palavras.',
    'Enter the reason in a few words.',
    'Escriba el motivo en pocas palabras.',
  ],
  back: ['Voltar', 'Back', 'Volver'],
  state: commonWords.state,
  id: ['ID', 'ID', 'ID'],
  mode: ['Modo', 'Mode', 'Modo'],
  modes: {
    LIVE: ['Dinheiro real', 'Real money', 'Dinero real'],
    SANDBOX: ['Sandbox', 'Sandbox', 'Sandbox'],
  },
  merchant: ['Lojista', 'Merchant', 'Comercio'],
  changed: ['Alterado', 'Changed', 'Cambiado'],
  by: ['Por', 'By', 'Por'],
  all: ['Todos', 'All', 'Todos'],
  method: commonWords.rail,
  methods: {
    ...operatorNames,
    PIX_PAYOUT: ['Saques por Pix', 'Withdrawals by Pix', 'Retiros por Pix'],
    PIX_WITHDRAWAL: ['Saque por Pix', 'Withdrawal by Pix', 'Retiro por Pix'],
    CRYPTO_WITHDRAWAL: ['Saque em USDT', 'Withdrawal in USDT', 'Retiro en USDT'],
    SEPA_WITHDRAWAL: ['Saque por SEPA', 'Withdrawal by SEPA', 'Retiro por SEPA'],
  },
  once: [
    'Copie agora: não será mostrado de novo.',
    'Copy it now: it won’t be shown again.',
    'Cópielo ahora: no se mostrará de nuevo.',
  ],
  done: commonWords.done,
  none: ['Nenhum registro', 'No records', 'Sin registros'],
  noMayWrite: ['Seu acesso é só de leitura.', 'Your access is read-only.', 'Su acceso es solo de lectura.'],
})

import { methodLabels } from '../methods/all.ts'
import type { Labels } from './labels.ts'

export const ptBrLabels: Labels = {
  sandbox: 'Teste, sem dinheiro real',
  amountDue: 'Total a pagar',
  amountPaid: 'Total pago',
  amount: 'Total',

  copy: 'Copiar',
  copied: 'Copiado',
  selected: 'Selecionado',

  chooseMethod: 'Forma de pagamento',
  otherMethod: 'Pagar de outra forma',
  continue: 'Continuar',
  optional: 'opcional',
  cancel: 'Cancelar pagamento',
  cancelAsk: 'O pagamento é encerrado e este link deixa de funcionar. Nada é cobrado.',
  cancelYes: 'Sim, cancelar',
  refresh: 'Atualizar',
  opening: 'Um momento…',
  listening: 'Aguardando pagamento…',
  cutOff: 'Sem conexão. Tentando de novo…',

  expiresIn: 'Expira em',
  expiresAt: 'Válido {time}',
  fiveMinutesLeft: 'Restam 5 minutos para pagar.',
  oneMinuteLeft: 'Resta 1 minuto para pagar.',

  ...methodLabels('pt-BR'),

  preparing: 'Preparando',

  returning: 'Você voltará à loja em {seconds} s.',
  stay: 'Ficar nesta página',
  receipt: 'Comprovante',
  print: 'Imprimir comprovante',
  languages: 'Idioma',
}

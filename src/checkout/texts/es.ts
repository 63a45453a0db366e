import { methodLabels } from '../methods/all.ts'
import type { Labels } from './labels.ts'

export const esLabels: Labels = {
  sandbox: 'Prueba, sin dinero real',
  amountDue: 'Total a pagar',
  amountPaid: 'Total pagado',
  amount: 'Total',

  copy: 'Copiar',
  copied: 'Copiado',
  selected: 'Seleccionado',

  chooseMethod: 'Forma de pago',
  otherMethod: 'Pagar de otra forma',
  continue: 'Continuar',
  optional: 'opcional',
  cancel: 'Cancelar pago',
  cancelAsk: 'El pago termina y este enlace deja de funcionar. No se cobra nada.',
  cancelYes: 'Sí, cancelar',
  refresh: 'Actualizar',
  opening: 'Un momento…',
  listening: 'Esperando el pago…',
  cutOff: 'Sin conexión. Reintentando…',

  expiresIn: 'Vence en',
  expiresAt: 'Válido {time}',
  fiveMinutesLeft: 'Quedan 5 minutos para pagar.',
  oneMinuteLeft: 'Queda 1 minuto para pagar.',

  ...methodLabels('es'),

  preparing: 'Preparando',

  returning: 'Volverá a la tienda en {seconds} s.',
  stay: 'Quedarme en esta página',
  receipt: 'Comprobante',
  print: 'Imprimir comprobante',
  languages: 'Idioma',
}

import { dictionary } from './dictionary.ts'

/** Settings → Notices. */
export const noticeWords = dictionary({
  title: ['Avisos para você', 'Notices for you', 'Avisos para usted'],
  lead: [
    'Chegam ao seu e-mail, no seu idioma, uma vez por evento.',
    'They come to your email, in your language, once for each event.',
    'Llegan a su correo, en su idioma, una vez por evento.',
  ],
  receipts: ['Recibos para pagadores', 'Receipts to payers', 'Recibos para pagadores'],
  receiptsLabel: [
    'Enviar recibo por e-mail quando um pagamento é confirmado ou reembolsado',
    'Send a receipt by email when a payment is confirmed or refunded',
    'Enviar un recibo por correo cuando un pago se confirma o se reembolsa',
  ],
  receiptsHelp: [
    'Vai a quem deixou um e-mail no pagamento, até 1.000 recibos por hora.',
    'To payers whose payment has an email address, up to 1,000 an hour.',
    'A quienes dejaron un correo en el pago, hasta 1.000 por hora.',
  ],
  sandbox: [
    'Esta conta é de teste, mas o recibo chega de verdade ao e-mail do pagamento.',
    'This is a test account, but the receipt really goes to the address in the payment.',
    'Esta cuenta es de prueba, pero el recibo llega de verdad al correo del pago.',
  ],
  noServer: [
    'Nenhum servidor de e-mail está configurado: nada é enviado. O operador define VINTEM_SMTP_URL e VINTEM_MAIL_FROM.',
    'No email server is set up: nothing is sent. The operator sets VINTEM_SMTP_URL and VINTEM_MAIL_FROM.',
    'No hay servidor de correo: no se envía nada. El operador define VINTEM_SMTP_URL y VINTEM_MAIL_FROM.',
  ],
  always: [
    'Acesso de um endereço novo, e segundo fator adicionado ou removido: estes avisos você sempre recebe.',
    'Sign-in from a new address, and a second factor added or removed: you always get these.',
    'Acceso desde una dirección nueva, y un segundo factor agregado o quitado: estos avisos siempre le llegan.',
  ],
  notAllowed: [
    'Sua função não recebe este aviso.',
    'Your role does not get this notice.',
    'Su rol no recibe este aviso.',
  ],
  kinds: {
    WITHDRAWAL_APPROVAL: [
      'Um saque aguarda aprovação',
      'A withdrawal needs approval',
      'Un retiro espera aprobación',
    ],
    DISPUTE_OPENED: ['Uma contestação foi aberta', 'A dispute was opened', 'Se abrió una disputa'],
    DISPUTE_DUE: [
      'O prazo da defesa de uma contestação está perto (3 dias e 1 dia antes)',
      'The evidence of a dispute is due soon (3 days and 1 day before)',
      'El plazo de las pruebas de una disputa está cerca (3 días y 1 día antes)',
    ],
    ENDPOINT_FAILING: [
      'Um endpoint de webhook está falhando e será desativado',
      'A webhook endpoint is failing and will be disabled',
      'Un endpoint de webhook está fallando y se desactivará',
    ],
    ENDPOINT_DISABLED: [
      'Um endpoint de webhook foi desativado',
      'A webhook endpoint was disabled',
      'Se desactivó un endpoint de webhook',
    ],
    KEY_EXPIRING: [
      'Uma chave de API vence em 7 dias',
      'An API key expires in 7 days',
      'Una clave de API vence en 7 días',
    ],
  },
})

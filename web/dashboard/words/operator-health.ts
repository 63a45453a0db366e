import { dictionary } from './dictionary.ts'

/** How the provider of a connection answers, hour by hour, and what this machine carries. */
export const operatorHealthWords = dictionary({
  title: ['Respostas do provedor', 'Answers of the provider', 'Respuestas del proveedor'],
  none: [
    'Ainda não houve chamadas nos últimos 30 dias. Teste a conexão para saber se ela funciona.',
    'There were no calls in the last 30 days. Test the connection to see whether it works.',
    'No hubo llamadas en los últimos 30 días. Pruebe la conexión para saber si funciona.',
  ],
  lastGood: ['Última resposta correta', 'Last good answer', 'Última respuesta correcta'],
  lastBad: ['Última falha', 'Last failure', 'Último fallo'],
  never: ['Nenhuma ainda', 'None yet', 'Ninguna aún'],
  hour: ['Hora', 'Hour', 'Hora'],
  calls: ['Chamadas', 'Calls', 'Llamadas'],
  errors: ['Falhas', 'Failures', 'Fallos'],
  mean: ['Média', 'Average', 'Promedio'],
  longest: ['Mais longa', 'Longest', 'Más larga'],
  measured: ['Medido nesta máquina', 'Measured on this machine', 'Medido en esta máquina'],
  measuredOf: (perSecond: string) => [
    `${perSecond} pagamentos criados por segundo`,
    `${perSecond} payments created per second`,
    `${perSecond} pagos creados por segundo`,
  ],
  share: ['Uso hoje, em média', 'Use today, on average', 'Uso hoy, en promedio'],
  shareOf: (percent: string) => [
    `${percent} do que foi medido`,
    `${percent} of what was measured`,
    `${percent} de lo medido`,
  ],
  unmeasured: [
    'Ainda não há medição desta máquina. Execute npm run bench -- --only=creation nela, sem outra carga, e o número aparece aqui.',
    'This machine was not measured yet. Run npm run bench -- --only=creation on it while nothing else runs, and the figure appears here.',
    'Esta máquina todavía no se midió. Ejecute npm run bench -- --only=creation en ella, sin otra carga, y el número aparece aquí.',
  ],
})

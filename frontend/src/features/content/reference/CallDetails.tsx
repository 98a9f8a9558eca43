import { useTranslation } from 'react-i18next'
import { CodeBlock } from '@/components/CodeBlock'
import { Marked } from '../Marked'
import { withoutNull, type Call, type Content, type Schemas } from './description'
import { curl } from './example'
import { FieldTable } from './FieldTable'
import { fieldsOf, typeOf, type FieldRow } from './fields'
import styles from './reference.module.css'

type Props = { call: Call; schemas: Schemas }

export function CallDetails({ call, schemas }: Props) {
  const { t } = useTranslation('reference')
  const parameters = parameterRows(call, schemas)
  const name = `${call.method} ${call.path}`
  const answers = Object.entries(call.responses)
  const failed = answers.filter(([status]) => Number(status) >= 400)
  return (
    <div className={`t-grid ${styles.details}`}>
      {call.description && (
        <p>
          <Marked text={call.description} />
        </p>
      )}
      <p>
        <strong>{t('access.label')}</strong> <AccessRule call={call} />
      </p>
      {call['x-access'] ? (
        <p>
          <strong>{t('access.token')}</strong> <TokenRule scope={call['x-access'].scope} />
        </p>
      ) : null}
      {parameters.length > 0 && <FieldTable caption={t('parameters')} rows={parameters} />}
      {call.requestBody && <Body caption={t('body')} content={call.requestBody.content} schemas={schemas} />}
      {answers
        .filter(([status]) => Number(status) < 400)
        .map(([status, { content }]) => (
          <Body key={status} caption={t('answer', { status })} content={content ?? {}} schemas={schemas} />
        ))}
      <p>
        <strong>{t('errors.label')}</strong>{' '}
        {failed.map(([status, { description }]) => (
          <span key={status} className={`t-tag ${styles.status}`}>
            {status} {description}
          </span>
        ))}
      </p>
      <CodeBlock
        text={curl(call, schemas, window.location.origin)}
        caption={t('example')}
        label={t('exampleOf', { name })}
        copyLabel={t('exampleOf', { name })}
      />
    </div>
  )
}

function AccessRule({ call }: { call: Call }) {
  const { t } = useTranslation('reference')
  const rule = call['x-access']
  if (!rule) {
    const asked = call.parameters?.some((parameter) => parameter.in === 'header')
    return t(asked ? 'access.signup' : 'access.anyone')
  }
  const roles = rule.roles.map((role) => t(`access.roles.${role}`))
  return [roles.join(t('access.or')), ...rule.needs.map((need) => t(`access.needs.${need}`))].join(' · ')
}

function TokenRule({ scope }: { scope: string | undefined }) {
  const { t } = useTranslation('reference')
  if (scope === undefined) return t('access.closed')
  return (
    <>
      {t('access.scope')} <code dir="ltr">{scope}</code>
    </>
  )
}

function parameterRows(call: Call, schemas: Schemas): FieldRow[] {
  return (call.parameters ?? []).map((parameter) => {
    const { schema, nullable } = withoutNull(parameter.schema, schemas)
    const { name, description, required = false } = parameter
    const described = description ? { ...schema, description } : schema
    return { name, type: `${typeOf(schema, schemas)}, ${parameter.in}`, nullable, required, schema: described }
  })
}

type BodyProps = { caption: string; content: Content; schemas: Schemas }

/** The fields of a JSON body; of any other, its type. */
function Body({ caption, content, schemas }: BodyProps) {
  const { t } = useTranslation('reference')
  const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? []
  const rows = fieldsOf(schema, schemas)
  if (rows.length > 0) return <FieldTable caption={caption} rows={rows} />
  const kind = type === 'application/json' ? typeOf(schema, schemas) : type
  return (
    <p>
      <strong>{caption}</strong> {kind ? <code dir="ltr">{kind}</code> : t('empty')}
    </p>
  )
}

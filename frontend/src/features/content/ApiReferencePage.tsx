import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'
import { currentLanguage } from '@/i18n/i18n'
import { getDescription } from './api'
import { CodeBlock } from '@/components/CodeBlock'
import { Contents } from './Contents'
import page from './page.module.css'
import { CallDetails } from './reference/CallDetails'
import { groupsOf, search, type Call, type Description, type Group, type Schemas } from './reference/description'
import { loginCommands } from './reference/example'
import styles from './reference/reference.module.css'
import loginScript from './reference/login.py?raw'

/** The service's own OpenAPI description, as a reference. */
export default function ApiReferencePage() {
  const { t } = useTranslation(['reference', 'errors'])
  const { data, error, retry } = useFetch(getDescription, currentLanguage())
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('title')}</h1>
      <p className={page.lead}>{t('lead')}</p>
      {data ? <Reference description={data} /> : null}
      {!data && error === null ? <Skeleton label={t('loading')} heights={[48, 320, 320]} /> : null}
      {error === null ? null : <ErrorState title={t('failed')} text={loadErrorMessage(error)} onRetry={retry} />}
    </div>
  )
}

function Reference({ description }: { description: Description }) {
  const { t } = useTranslation('reference')
  const [wanted, setWanted] = useState('')
  const all = groupsOf(description)
  const labelOf = (name: string) => t(`groups.${name}`, { defaultValue: name })
  const found = search(all, wanted, labelOf)
  const count = found.reduce((sum, { calls }) => sum + calls.length, 0)
  return (
    <div className={page.columns}>
      <Contents
        title={t('contents')}
        entries={[
          { id: 'start', label: t('start.title') },
          ...found.map(({ name, calls }) => ({
            id: name,
            label: (
              <>
                {labelOf(name)} <span className={styles.count}>{calls.length}</span>
              </>
            ),
          })),
        ]}
      />
      <div>
        <Start sandbox={'/api/sandbox/outbox' in description.paths} />
        <div className={styles.search}>
          <label className={page.field}>
            {t('search.label')}
            <input type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
          </label>
          <p role="status" className="t-soft">
            {t('search.found', { count })}
          </p>
        </div>
        {found.map((group) => (
          <GroupSection
            key={group.name}
            group={group}
            label={labelOf(group.name)}
            schemas={description.components.schemas}
          />
        ))}
      </div>
    </div>
  )
}

function Start({ sandbox }: { sandbox: boolean }) {
  const { t } = useTranslation('reference')
  const [ask, exchange] = loginCommands(window.location.origin, sandbox)
  return (
    <section id="start" className={`${page.section} ${styles.section}`} aria-labelledby="start-heading">
      <h2 id="start-heading" className={page.heading}>
        {t('start.title')}
      </h2>
      <p>{t('start.text')}</p>
      <p>{t('start.secret')}</p>
      <CodeBlock text={ask} caption={t('start.ask')} copyLabel={t('start.ask')} />
      <p>{t(sandbox ? 'start.sandboxCode' : 'start.code')}</p>
      <CodeBlock text={exchange} caption={t('start.exchange')} copyLabel={t('start.exchange')} />
      <details>
        <summary>{t('start.script')}</summary>
        <CodeBlock text={loginScript} caption="login.py" copyLabel={t('start.copyScript')} />
      </details>
      <p>{t('start.tokens')}</p>
      <p>{t('start.lists')}</p>
      <p>{t('start.errors')}</p>
      <p>
        <a href="/api/openapi.json">{t('start.description')}</a>
      </p>
    </section>
  )
}

type GroupProps = { group: Group; label: string; schemas: Schemas }

function GroupSection({ group: { name, calls }, label, schemas }: GroupProps) {
  return (
    <section id={name} className={`${page.section} ${styles.section}`} aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`} className={page.heading}>
        {label}
      </h2>
      {calls.map((call) => (
        <CallEntry key={call.operationId} call={call} schemas={schemas} />
      ))}
    </section>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView()
}

/** A call's line; its details are rendered while it is open. */
function CallEntry({ call, schemas }: { call: Call; schemas: Schemas }) {
  const { hash } = useLocation()
  const linked = hash === `#${call.operationId}`
  const [open, setOpen] = useState(linked)
  return (
    <details
      ref={linked ? scrollTo : undefined}
      id={call.operationId}
      className={`t-card ${page.section} ${styles.call}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.method} data-method={call.method}>
          {call.method}
        </span>
        <code dir="ltr">{call.path}</code>
        <span className={`t-soft ${styles.summary}`}>{call.summary}</span>
      </summary>
      {open && <CallDetails call={call} schemas={schemas} />}
    </details>
  )
}

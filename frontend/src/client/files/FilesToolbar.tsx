import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { NewFolderIcon } from '@/components/icons/NewFolderIcon'
import { SearchIcon } from '@/components/icons/SearchIcon'
import { UploadIcon } from '@/components/icons/UploadIcon'
import { visible } from '@/lib/visible'
import { usePageState, type SpaceInfo } from '../client-state'
import styles from './FilesToolbar.module.css'
import { folderUrl, historyUrl, trashUrl } from './folder-url'
import { filesOfInput } from './upload'

type Props = {
  space: SpaceInfo
  path: string
  search: string
  onSearch: (text: string) => void
  onFolder: () => void
  onFiles: (files: ReturnType<typeof filesOfInput>) => void
}

export function FilesToolbar({ space, path, search, onSearch, onFolder, onFiles }: Props) {
  const { t } = useTranslation('client')
  const navigate = useNavigate()
  const { spaces, usage } = usePageState()
  const files = useRef<HTMLInputElement>(null)
  return (
    <div className={`t-line ${styles.bar}`}>
      <select
        className={styles.space}
        aria-label={t('files.space')}
        value={space.id}
        onChange={({ target }) => void navigate(folderUrl(target.value, ''))}
      >
        {spaces.map((each) => (
          <option key={each.id} value={each.id}>
            {visible(each.name)}
          </option>
        ))}
      </select>
      <label className={styles.search}>
        <SearchIcon />
        <span className="t-hidden">{t('files.search', { space: space.name })}</span>
        <input
          type="search"
          placeholder={t('files.search', { space: space.name })}
          value={search}
          onChange={({ target }) => onSearch(target.value)}
        />
      </label>
      <div className={`t-line ${styles.actions}`}>
        <LinkButton variant="text" to={`/space/${space.id}`}>
          {t('about.title')}
        </LinkButton>
        <LinkButton variant="text" to={historyUrl(space.id, path)}>
          {t('history.title')}
        </LinkButton>
        <LinkButton variant="text" to={trashUrl(space.id, '')}>
          {t('trash.title')}
        </LinkButton>
        <Button variant="outlined" icon={<NewFolderIcon />} onClick={onFolder}>
          {t('files.newFolder')}
        </Button>
        <Button
          icon={<UploadIcon />}
          disabledReason={usage?.left === 0 ? t('quota.reached') : null}
          onClick={() => files.current?.click()}
        >
          {t('files.upload')}
        </Button>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={t('files.upload')}
          onChange={({ target }) => {
            if (target.files) onFiles(filesOfInput(target.files))
            target.value = ''
          }}
        />
      </div>
    </div>
  )
}

type Reject = (name: string) => Error | DOMException | null

/** A folder as a browser gives it, in memory; `refuse` and `lose` say which names fail when made or closed. */
export class FolderMock {
  readonly folders = new Map<string, FolderMock>()
  readonly files = new Map<string, string>()

  constructor(
    readonly refuse: Reject = () => null,
    readonly lose: Reject = () => null,
  ) {}

  get handle(): FileSystemDirectoryHandle {
    return this as unknown as FileSystemDirectoryHandle
  }

  /** The paths of everything below; those of folders end with a slash. */
  paths(): string[] {
    const below = [...this.folders].flatMap(([name, folder]) => [
      `${name}/`,
      ...folder.paths().map((path) => `${name}/${path}`),
    ])
    return [...below, ...this.files.keys()]
  }

  getDirectoryHandle(name: string): Promise<FolderMock> {
    const problem = this.refuse(name)
    if (problem) return Promise.reject(problem)
    const folder = this.folders.get(name) ?? new FolderMock(this.refuse, this.lose)
    this.folders.set(name, folder)
    return Promise.resolve(folder)
  }

  getFileHandle(name: string): Promise<unknown> {
    const problem = this.refuse(name)
    if (problem) return Promise.reject(problem)
    this.files.set(name, '')
    let written = ''
    const writable = {
      write: (chunk: Uint8Array) => {
        written += new TextDecoder().decode(chunk)
        return Promise.resolve()
      },
      abort: () => Promise.resolve(),
      close: () => {
        const lost = this.lose(name)
        if (lost) return Promise.reject(lost)
        this.files.set(name, written)
        return Promise.resolve()
      },
    }
    return Promise.resolve({ createWritable: () => Promise.resolve(writable) })
  }

  removeEntry(name: string): Promise<void> {
    this.files.delete(name)
    return Promise.resolve()
  }
}

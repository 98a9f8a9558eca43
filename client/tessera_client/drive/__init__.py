"""A space as a file system: what the mount, WebDAV and the page stand on."""

package source

// MaxItems is how many items a State keeps.
const MaxItems = 256

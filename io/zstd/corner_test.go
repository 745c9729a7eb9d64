package zstd

func cornerCases() (c []struct{ src []byte }) { return nil }

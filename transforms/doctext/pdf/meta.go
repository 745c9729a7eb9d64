package pdf

func (r *reader) metadata() {}

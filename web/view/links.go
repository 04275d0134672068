package view

import "reflect"

// Links is a map of names to paths of the service.
type Links map[string]string

// Rebase returns a view with the base path added to each of its links. It does not change v, because a
// cache may hold v.
func Rebase(v any, base string) any {
	if base == "" || v == nil {
		return v
	}
	return rebased(reflect.ValueOf(v), base).Interface()
}

var linksType = reflect.TypeFor[Links]()

// rebased returns a copy of a value with the base path added to its links. The original and the copy may
// share parts that have no links.
func rebased(v reflect.Value, base string) reflect.Value {
	switch {
	case v.Type() == linksType && v.Len() > 0:
		out := Links{}
		for name, at := range v.Interface().(Links) {
			out[name] = base + at
		}
		return reflect.ValueOf(out)
	case v.Kind() == reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out.Field(i).Set(rebased(v.Field(i), base))
			}
		}
		return out
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && v.Len() > 0:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(rebased(v.Index(i), base))
		}
		return out
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct:
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(rebased(v.Elem(), base))
		return out
	}
	return v
}
